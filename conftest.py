from nbval.plugin import IPyNbCell


def pytest_itemcollected(item):
    # Notebooks are committed without execution counts, so that running one changes nothing in
    # it; nbval takes a cell without a count for one that was never run, and will not compare it.
    if isinstance(item, IPyNbCell):
        item.cell.execution_count = 1
