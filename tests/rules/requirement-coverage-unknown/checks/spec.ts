it("does-it", () => {})
