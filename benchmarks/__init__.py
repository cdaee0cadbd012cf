"""Speed of the package and the generator, compared with other libraries (`make bench`); README.md has the method.

__main__      options of `make bench`: rounds, which results are written
rows/         the table of everything that is measured
peers/        the programs that are measured: ours, other SDKs and the floor
model         the form of a row, its targets and ratios
measure       the order of rounds, and how samples become figures
environments  the environments of the peers and the packages in them
workers       how peers' programs are started and asked
machine       the description of the machine
report        the table on the terminal, and the parts of documents with figures
plot          the plot of the results
database      the measurement of agents that share a database; the table in docs/scale.md
ending        the row of an agent's exit with many open turns
flood         the row of memory while a client floods an agent
sessions      the rows of lists among a million sessions
validate      the rows of `validate` on long transcripts
"""
