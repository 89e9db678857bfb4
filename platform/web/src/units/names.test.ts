import { expect, it } from "vitest";
import { driverName, personName } from "./names.ts";

it("W-109: a driver's name stands beside the uid where there is one", () => {
  const maria = { first_name: "Maria", last_name: " Silva ", email: "maria@example.org" };
  expect(personName(maria)).toBe("Maria Silva");
  expect(personName({ first_name: null, last_name: "", email: "m@example.org" })).toBe("m@example.org");
  expect(driverName("Driver 11", maria)).toBe("Maria Silva");
  expect(driverName("Maria Silva", maria)).toBeNull();
  expect(driverName("Driver 11", { first_name: null, last_name: null, email: "m@example.org" })).toBeNull();
  expect(driverName("Driver 11", undefined)).toBeNull();
});
