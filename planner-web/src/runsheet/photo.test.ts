import { describe, expect, it } from "vitest";
import { exifOf } from "./photo.ts";
import { navigationLink } from "./navigation.ts";

/** A JPEG file with an Exif segment that holds an orientation and nothing else, in the camera's byte order. */
function jpeg(): Uint8Array {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
  const exif = [0x45, 0x78, 0x69, 0x66, 0, 0, ...tiff];
  const other = [0xff, 0xe0, 0, 4, 1, 2];
  return new Uint8Array([0xff, 0xd8, ...other, 0xff, 0xe1, 0, exif.length + 2, ...exif, 0xff, 0xda, 0, 2]);
}

describe("photos", () => {
  it("W-045: keep what the camera wrote, upright because the reduced picture is", () => {
    const exif = exifOf(jpeg());
    expect(exif?.slice(0, 2)).toEqual(new Uint8Array([0xff, 0xe1]));
    // The value of the orientation, which was 6.
    expect([...(exif ?? [])].slice(28, 30)).toEqual([0, 1]);
    expect(exifOf(new Uint8Array([0x89, 0x50]))).toBeNull();
    expect(exifOf(new Uint8Array([0xff, 0xd8, 0xff, 0xda, 0, 2]))).toBeNull();
  });
});

describe("navigation", () => {
  it("W-112: opens on iPhones, iPads, Android and everything else", () => {
    const link = (agent: string, touch = true): string => navigationLink(41.1, -8.6, agent, touch);
    expect(link("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)")).toContain("maps.apple.com");
    expect(link("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)")).toContain("maps.apple.com");
    expect(link("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", false)).toContain("google.com/maps");
    expect(link("Mozilla/5.0 (Linux; Android 15; Pixel 9)")).toBe("google.navigation:q=41.1,-8.6");
  });
});
