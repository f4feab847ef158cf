"""Names of operations, and how plugins are found: :mod:`dpframe.kernel.registry` under the name that others import.

Kept for one release: plugins import :mod:`dpframe.plugin`.
"""

from dpframe.kernel.families.registering import Family as Family
from dpframe.kernel.families.registering import Mask as Mask
from dpframe.kernel.families.registering import Semimetric as Semimetric
from dpframe.kernel.families.registering import family as family
from dpframe.kernel.families.registering import find_family as find_family
from dpframe.kernel.families.registering import find_mask as find_mask
from dpframe.kernel.families.registering import find_semimetric as find_semimetric
from dpframe.kernel.families.registering import mask as mask
from dpframe.kernel.families.registering import semimetric as semimetric
from dpframe.kernel.registry import API as API
from dpframe.kernel.registry import API_NAME as API_NAME
from dpframe.kernel.registry import build as build
from dpframe.kernel.registry import composite as composite
from dpframe.kernel.registry import composites as composites
from dpframe.kernel.registry import discover as discover
from dpframe.kernel.registry import find_composite as find_composite
from dpframe.kernel.registry import find_either as find_either
from dpframe.kernel.registry import find_learner as find_learner
from dpframe.kernel.registry import import_file as import_file
from dpframe.kernel.registry import import_folders as import_folders
from dpframe.kernel.registry import is_registered as is_registered
from dpframe.kernel.registry import learner as learner
from dpframe.kernel.registry import operations as operations
from dpframe.kernel.registry import others as others
from dpframe.kernel.registry import owners as owners
from dpframe.kernel.registry import register as register
from dpframe.kernel.registry import user_files as user_files
