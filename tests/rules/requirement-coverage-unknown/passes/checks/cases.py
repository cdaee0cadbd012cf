CASES = {"do-once": 1}
