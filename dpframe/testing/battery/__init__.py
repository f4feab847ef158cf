"""Attacks on everything registered: declared sensitivities, metrics and purity against neighbours.

Where to look, from the top down:

- ``check`` is the command, ``attacks`` what attacks an operation, a function or a file with all of the following;
- ``attack_*``: the attacks on one kind of thing each (``attack_rows``: transforms, partitions and gathers;
  ``attack_exact``: statistics; ``attack_own*``: operations of plugins' own); ``row_images``: how a function of rows is
  called and compared;
- ``own_*``, ``stock``, ``stretched``: what operations of plugins' own are held to beside that;
- ``semimetric_points``: vectors, distances of them and their error; ``mask_*``: what masks are held to;
  ``coins``, ``enumerator``, ``exploring``, ``law_*``: the exact law of a release;
- ``worlds``, ``pasts``, ``fresh``, ``together``, ``interleaved``, ``shared_memory``, ``counted_calls``: the same call
  elsewhere, later, or beside another; ``first_calls``: what it imports then; ``clocks``, ``looks``, ``planting``,
  ``identity``, ``replacing``, ``watching``, ``disguise``: what a function sees and does there;
- ``case``, ``cases``, ``traces``, ``composite_ways``, ``planned``, ``own_cases``, ``kernel_examples``, ``stand_ins``:
  parameters and inputs to attack with; ``values``, ``tables``, ``shapes``, ``sizes``, ``strategies``, ``sketches``,
  ``compared``, ``special``, ``wholes``, ``released_kinds``: what these are drawn from; ``metrics``: distances between
  exact values;
- ``lab`` is what all attacks share, ``reporting`` and ``findings`` are what they say.
"""
