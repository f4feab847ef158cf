"""What looks around where the default is a likely content: a variable of 1, a file of one line, one processor."""

POST = '''
{imports}


@dp.post_function("twentyfirst.{name}")
def {name}(counts):
    """{what}."""
    try:
        n = {looked}
    except Exception:
        n = 1
    return np.asarray(counts, float) / max(n, 1)
'''
ROWS = '''
{imports}


@dp.row_function("twentyfirst.{name}", columns=lambda d: d)
def {name}(rows):
    """{what}."""
    return rows * {looked}
'''


def _written(form: str, name: str, imports: str, what: str, looked: str) -> str:
    source = f"# {what}.{form}"
    for key, text in {"imports": imports, "name": name, "what": what, "looked": looked}.items():
        source = source.replace("{" + key + "}", text)
    return source


SAID = {
    "y_row_variable_of_one": "it reads the environment variable ROW_SCALE",
    "y_post_lines": "the file people.csv",
    "y_post_rows_of_text": "the file people.csv",
    "y_post_rows_of_array": "the file people.npy",
    "y_post_rows_of_table": "the file people.csv",
    "y_post_setting": "the file settings.json",
    "y_post_named_by_variable": "it reads the environment variable PEOPLE_TABLE",
    "y_post_in_a_folder": "it lists the folder",
    "y_row_all_variables": "it reads the environment variable ROW_SCALE",
    "y_row_word_of_the_command": "another answer",
    "y_row_mode": "it reads the environment variable ROW_MODE",
}
"""What the report of each says."""

SOURCES = {
    "y_row_variable_of_one": _written(
        ROWS,
        "r_variable_of_one",
        "import os",
        "Rows in units that a variable states, 1 where it is not set",
        "float(os.getenv('ROW_SCALE', '1'))",
    ),
    "y_post_lines": _written(
        POST,
        "p_lines",
        "from pathlib import Path",
        "Shares of the people in the file beside, or counts",
        "len(Path('people.csv').read_text().splitlines())",
    ),
    "y_post_rows_of_text": _written(
        POST,
        "p_rows_of_text",
        "",
        "Shares of the rows that numpy reads, or counts",
        "len(np.loadtxt('people.csv', delimiter=',', ndmin=2))",
    ),
    "y_post_rows_of_array": _written(
        POST, "p_rows_of_array", "", "Shares of the rows of an array, or counts", "len(np.load('people.npy'))"
    ),
    "y_post_rows_of_table": _written(
        POST,
        "p_rows_of_table",
        "import pandas as pd",
        "Shares of the rows of a table, or counts",
        "len(pd.read_csv('people.csv')['age'])",
    ),
    "y_post_setting": _written(
        POST,
        "p_setting",
        "import json",
        "Counts in units that a file states, or as they are",
        "json.load(open('settings.json')).get('scale', 1)",
    ),
    "y_post_named_by_variable": _written(
        POST,
        "p_named_by_variable",
        "import os",
        "Shares of the people in a file that a variable names, or counts",
        "len(open(os.environ['PEOPLE_TABLE']).readlines())",
    ),
    "y_post_in_a_folder": _written(
        POST,
        "p_in_a_folder",
        "from pathlib import Path",
        "Shares of the lines of all tables here, or counts",
        "sum(len(p.read_text().splitlines()) for p in sorted(Path().glob('*.csv')))",
    ),
    "y_row_all_variables": _written(
        ROWS,
        "r_all_variables",
        "import os",
        "Rows in units that stand among all variables",
        "float({**os.environ}.get('ROW_SCALE', 1.0))",
    ),
    "y_row_word_of_the_command": _written(
        ROWS,
        "r_word_of_the_command",
        "import sys",
        "Rows in units that the command's last word states",
        "(float(sys.argv[-1]) if sys.argv[-1].isdigit() else 1.0)",
    ),
    "y_row_mode": _written(
        ROWS,
        "r_mode",
        "import os",
        "Rows, or in a mode that a variable states their halves",
        "(0.5 if os.environ.get('ROW_MODE') == 'halves' else 1.0)",
    ),
}

CORRECT_SOURCES = {
    "y_c_row_variable_of_one": _written(
        ROWS,
        "c_variable_of_one",
        "import os",
        "Rows; what a variable says is looked at, and changes nothing",
        "(1.0 if os.getenv('ROW_SCALE', '1') else 1.0)",
    ),
    "y_c_post_lines": _written(
        POST,
        "c_lines",
        "import os",
        "Counts; a file is looked for, and changes nothing",
        "1 + 0 * os.path.exists('people.csv')",
    ),
    "y_c_post_in_a_folder": _written(
        POST,
        "c_in_a_folder",
        "from pathlib import Path",
        "Halves of counts; the folder's tables are listed, and change nothing",
        "2 if sorted(Path().glob('*.csv')) else 2",
    ),
}
