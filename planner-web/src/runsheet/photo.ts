/** Longest side of a photo of a proof, pixels. */
const LONGEST = 1600;
const QUALITY = 0.8;
/** Bytes up to which a photo goes as it is. */
const SMALL = 400_000;

/**
 * A photo as small as a proof needs, with the time and place that the camera wrote into it. What cannot be reduced goes
 * as it is; the office says what it does not take.
 */
export async function reducedPhoto(photo: Blob): Promise<Blob> {
  if (photo.size <= SMALL) return photo;
  try {
    const picture = await createImageBitmap(photo);
    const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const small = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
    if (small === null || small.size >= photo.size) return photo;
    const exif = exifOf(new Uint8Array(await photo.arrayBuffer()));
    return exif === null ? small : withExif(new Uint8Array(await small.arrayBuffer()), exif);
  } catch {
    return photo;
  }
}

const EXIF = [0x45, 0x78, 0x69, 0x66, 0, 0];
const ORIENTATION = 0x0112;

/** The segment of a JPEG file in which the camera wrote time and place; `null` when there is none. */
export function exifOf(jpeg: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (jpeg[0] !== 0xff || jpeg[1] !== 0xd8) return null;
  for (let at = 2; jpeg[at] === 0xff && at + 4 <= jpeg.length;) {
    const length = 2 + (((jpeg[at + 2] ?? 0) << 8) | (jpeg[at + 3] ?? 0));
    if (jpeg[at + 1] === 0xe1 && EXIF.every((byte, index) => jpeg[at + 4 + index] === byte)) {
      return upright(jpeg.slice(at, at + length));
    }
    // The picture itself begins: what describes it stands before.
    if (jpeg[at + 1] === 0xda) return null;
    at += length;
  }
  return null;
}

/** The reduced picture stands upright already, so its description must not turn it again. */
function upright(segment: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const start = 4 + EXIF.length;
  if (segment.length < start + 8) return segment;
  const view = new DataView(segment.buffer, start);
  const little = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > view.byteLength) return segment;
  const entries = view.getUint16(directory, little);
  for (let n = 0; n < entries; n += 1) {
    const entry = directory + 2 + n * 12;
    if (entry + 12 > view.byteLength) break;
    if (view.getUint16(entry, little) === ORIENTATION) view.setUint16(entry + 8, 1, little);
  }
  return segment;
}

/** A JPEG file with this segment right after its beginning, as readers expect it. */
function withExif(jpeg: Uint8Array<ArrayBuffer>, exif: Uint8Array<ArrayBuffer>): Blob {
  return new Blob([jpeg.slice(0, 2), exif, jpeg.slice(2)], { type: "image/jpeg" });
}
