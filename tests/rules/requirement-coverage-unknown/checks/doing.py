async def test_once() -> None: ...  # not test_twice


class TestDo: ...
