"""The playground: a page that runs this tool in the browser, with Pyodide. `python -m scripts.playground DIR` writes it."""
