import type { Job } from "@routewright/web";
import { describe, expect, it } from "vitest";
import { trackingCsv } from "./links.ts";

describe("tracking export", () => {
  it("quotes cells and disarms formulas", () => {
    const job = {
      uid: "=1+1",
      customer_name: 'Silva, "Lda"',
      phone_number: "+351220000001",
      customer_email: null,
      tracking_token: "ABCD2345EFGH",
    } as Job;
    const [header, line] = trackingCsv([job]).split("\r\n");
    expect(header).toBe("\uFEFFJob uid,Customer name,Phone number,Email,Tracking token,Tracking url");
    expect(line).toContain(`'=1+1,"Silva, ""Lda""",'+351220000001,,ABCD2345EFGH,`);
    expect(line).toMatch(/\/tracking\?tokens=ABCD2345EFGH$/);
  });
});
