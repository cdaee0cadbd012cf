"""The schema at run time: data that the emitted modules fill in.

definitions   method table rows, root keywords, node table classes (`Field`, `Record`, `Choice`), the class
              `UnknownVariant`
registry      where the node tables and requirements of each package are found; tables of extension packages
capabilities  which capabilities follow from the overridden handlers, and which parts of a message require one
"""
