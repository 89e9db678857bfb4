import { expect, test } from "vitest";
import { deviceText } from "./device.ts";

test("a device is told by its family", () => {
  const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";
  for (const [userAgent, text] of [
    [
      `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${webkit} Chrome/142.0.0.0 Mobile Safari/537.36`,
      "Chrome 142, Android",
    ],
    [
      `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
      "Edge 141, Windows",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
      "Safari 18, iOS",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox 140, Linux"],
    ["curl/8", "Other browser"],
  ] as const) {
    expect(deviceText(userAgent, "1.2.0")).toBe(`${text}, page 1.2.0`);
  }
});
