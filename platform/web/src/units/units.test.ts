import { describe, expect, it } from "vitest";
import {
  convertConsumption,
  cubicMetres,
  decimalOf,
  distanceText,
  durationText,
  fromGrams,
  fromKm,
  toGrams,
  toKm,
  fixed,
  fuelText,
} from "./units.ts";
import { parseSize, sizeText, sumSizes } from "./size.ts";

describe("units", () => {
  it("X-334 X-624 X-625 A-494 A-495 A-496 A-497 converts miles, pounds and gallons", () => {
    expect(fromKm(1.609344, "mi")).toBeCloseTo(1, 10);
    expect(toKm(2, "mi")).toBeCloseTo(3.218688, 10);
    expect(toGrams(1, "lb")).toBeCloseTo(453.59237, 6);
    expect(fromGrams(453.59237, "lb")).toBeCloseTo(1, 10);
    expect(fromGrams(2_500, "kg")).toBe(2.5);
    expect(cubicMetres(250_000)).toBe(0.25);
    expect(convertConsumption(10, "mpg_uk")).toBeCloseTo(28.2481053, 6);
    // 3.785411784 litres a gallon, 1.609344 km a mile.
    expect(convertConsumption(10, "mpg_us")).toBeCloseTo((100 * 3.785411784) / 1.609344 / 10, 5);
    expect(convertConsumption(convertConsumption(7.5, "mpg_us"), "mpg_us")).toBeCloseTo(7.5, 10);
  });

  it("reads numbers with a point or a comma", () => {
    expect(decimalOf("10250.5")).toBe(10250.5);
    expect(decimalOf("10250,5")).toBe(10250.5);
    expect(decimalOf("1,2,3")).toBeNaN();
  });

  it("X-335 X-623 shows distances with 2 decimals and durations in hours and minutes", () => {
    expect(distanceText(12_400, "km")).toBe("12.40 km");
    expect(distanceText(null, "km")).toBe("–");
    expect(durationText(3_900)).toBe("1 h 05 min");
    expect(durationText(-600)).toBe("−10 min");
  });
});

describe("size grammar", () => {
  it("P-325 P-326 P-327 reads alternatives and named parts", () => {
    expect(parseSize("pallets:2 & weight:350|5")).toEqual([{ pallets: 2, weight: 350 }, { size: 5 }]);
  });

  it.each(["", "abc", "-1", "boxes:", "1.2345", "boxes:1&", "2:3"])("refuses %j", (text) =>
    expect(parseSize(text)).toBeNull(),
  );

  it("sums the first clause of each size", () => {
    expect(sumSizes(["boxes:2&weight:10", "boxes:1", null, "4|boxes:9"])).toEqual({
      boxes: 3,
      weight: 10,
      size: 4,
    });
    expect(sizeText({ boxes: 3, weight: 10.5 })).toBe("boxes 3 · weight 10.5");
  });
});

describe("fuel W-067, A-496, A-497", () => {
  it("is told in the unit that goes with the organisation's consumption", () => {
    expect(fuelText(45.4609, "l_per_100_km")).toBe("45.46 l");
    expect(fuelText(45.4609, "mpg_uk")).toBe("10.00 gal (UK)");
    expect(fuelText(37.85411784, "mpg_us")).toBe("10.00 gal (US)");
    expect(fuelText(null, "mpg_us")).toBe("–");
  });
});

describe("numbers W-090", () => {
  it("have no sign when they round to nothing", () => {
    expect(fixed(-0.04, 1)).toBe("0.0");
    expect(fixed(-0.06, 1)).toBe("-0.1");
    expect(distanceText(-3, "km")).toBe("0.00 km");
  });
});
