import { describe, expect, it } from "vitest";
import { amountsOf, measuresOf, sizeOfAmounts } from "./size-amounts.ts";

describe("sizes as amounts (W-109)", () => {
  it("are read from the text of the API and written as such", () => {
    const amounts = amountsOf("boxes:3&weight:12.5|4", false);
    expect(amounts).toEqual([{ boxes: "3", weight: "12.5" }, { size: "4" }]);
    expect(sizeOfAmounts(amounts ?? [], ["boxes", "weight", "size"])).toBe("boxes:3&weight:12.5|4");
  });

  it("leave out what is empty, and keep what is no number, so that it is refused", () => {
    expect(sizeOfAmounts([{ boxes: " ", weight: "1,5" }], ["boxes", "weight"])).toBe("weight:1.5");
    expect(sizeOfAmounts([{ boxes: "many" }], ["boxes"])).toBe("boxes:many");
    expect(sizeOfAmounts([{}, {}], ["boxes"])).toBe("");
  });

  it("read a bare 0 as no limit, and only where it limits", () => {
    expect(amountsOf("0", true)).toEqual([{}]);
    expect(amountsOf("0", false)).toEqual([{ size: "0" }]);
    expect(amountsOf("three", true)).toBeNull();
  });

  it("know the measures that are in use, each once", () => {
    expect(measuresOf(["weight:1&boxes:2", null, "boxes:9|pallets:1", "5", "no size"])).toEqual([
      "boxes",
      "pallets",
      "weight",
    ]);
  });
});
