/** Browsers by what they say of themselves; those that pretend to be another one come first. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/(\d+)/, "Edge"],
  [/\bEdgiOS\/(\d+)/, "Edge"],
  [/\bOPR\/(\d+)/, "Opera"],
  [/\bSamsungBrowser\/(\d+)/, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, "Firefox"],
  [/(?:Chrome|CriOS)\/(\d+)/, "Chrome"],
  [/\bVersion\/(\d+)\S* .*\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** What is told of the device with a proof: "Chrome 142, Android, page 0.1.0". No more than its family. */
export function deviceText(userAgent: string, version: string): string {
  const browser = BROWSERS.map(([pattern, name]) => {
    const major = pattern.exec(userAgent)?.[1];
    return major === undefined ? null : `${name} ${major}`;
  }).find((found) => found !== null);
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [browser ?? "Other browser", system, `page ${version}`]
    .filter((part) => part !== undefined)
    .join(", ");
}
