"""Performance regressions: recording launches, comparing results, and verdicts for CI.

    proton-xpu regress record -n 5 -o new.json -- bench.py
    proton-xpu regress compare base.json new.json

`Result.load` and `compare_results` are the same in Python. numpy and scipy are needed to compare.
"""
