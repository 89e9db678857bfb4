/** Milliseconds between two looks at the picture. */
const PAUSE = 200;

interface Detector {
  detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}

/** Shows the camera in `video` and tells the codes that it sees, until the signal ends it. Throws without a camera. */
export async function readCodes(
  video: HTMLVideoElement,
  signal: AbortSignal,
  onCode: (code: string) => void,
): Promise<void> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  const stop = (): void => stream.getTracks().forEach((track) => track.stop());
  if (signal.aborted) return stop();
  signal.addEventListener("abort", stop);
  video.srcObject = stream;
  await video.play();
  const own = (globalThis as { BarcodeDetector?: new () => Detector }).BarcodeDetector;
  if (own === undefined) return readWithLibrary(video, signal, onCode);
  const detector = new own();
  const ended = (): boolean => signal.aborted;
  while (!ended()) {
    for (const { rawValue } of await detector.detect(video)) onCode(rawValue);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

/** iPhones and Firefox cannot read codes themselves. */
async function readWithLibrary(
  video: HTMLVideoElement,
  signal: AbortSignal,
  onCode: (code: string) => void,
): Promise<void> {
  const { BrowserMultiFormatReader } = await import("@zxing/browser");
  const reader = new BrowserMultiFormatReader();
  const controls = await reader.decodeFromVideoElement(video, (result) => {
    if (result !== undefined) onCode(result.getText());
  });
  if (signal.aborted) controls.stop();
  else signal.addEventListener("abort", () => controls.stop());
}
