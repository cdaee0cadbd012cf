"""The command bridge: how the messages of one version of the protocol become messages of another.

overlay       what the schemas cannot state about each other: an overlay, and its statements in one direction
places        the type at a path, and minimal objects that have a value there
records       the properties of two objects, paired
variants      the variants of two unions, paired
alternatives  the JSON kinds of a type, and the test of a scalar
derive        a converter for each pair of types
bridge        the plan for all messages, and the losses and rejections of each with a message that shows them
table         the result as text, Markdown or JSON
command       files in, a bridge out
"""
