/** Measures an image by its own first bytes. It never decodes one. */

export interface Pixels {
  readonly width: number;
  readonly height: number;
}

export function measurePng(bytes: Uint8Array): Pixels | undefined {
  const view = viewOf(bytes);
  // The first chunk is the header, by the format.
  if (bytes.length < 24 || view.getUint32(12) !== 0x49_48_44_52) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** The screen, or the first frame where that is larger: decoders differ in which they believe. */
export function measureGif(bytes: Uint8Array): Pixels | undefined {
  if (bytes.length < 13) return undefined;
  const view = viewOf(bytes);
  const screen = { width: view.getUint16(6, true), height: view.getUint16(8, true) };
  const at = findGifFrame(view);
  if (at === undefined || at + 9 > bytes.length) return screen;
  return larger(screen, {
    width: view.getUint16(at + 5, true),
    height: view.getUint16(at + 7, true),
  });
}

/** Where the first frame begins: after the table of colors, and extensions in blocks. */
function findGifFrame(view: DataView): number | undefined {
  const packed = view.getUint8(10);
  let at = 13 + (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0);
  while (at + 2 < view.byteLength && view.getUint8(at) === GIF_EXTENSION) {
    at += 2;
    while (at < view.byteLength && view.getUint8(at) !== 0) at += 1 + view.getUint8(at);
    at += 1;
  }
  return at < view.byteLength && view.getUint8(at) === GIF_FRAME ? at : undefined;
}

const GIF_EXTENSION = 0x21;
const GIF_FRAME = 0x2c;

function larger(first: Pixels, second: Pixels): Pixels {
  return first.width * first.height >= second.width * second.height ? first : second;
}

export function measureWebp(bytes: Uint8Array): Pixels | undefined {
  if (bytes.length < 30) return undefined;
  const view = viewOf(bytes);
  if (view.getUint32(12) !== VP8X) return measureWebpFrame(view, 12);
  const canvas = { width: readUint24(view, 24) + 1, height: readUint24(view, 27) + 1 };
  // The first frame may say more than the canvas: decoders differ in which they believe.
  const at = findWebpFrame(view);
  const frame = at === undefined ? undefined : measureWebpFrame(view, at);
  return frame === undefined ? canvas : larger(canvas, frame);
}

/** The size in the chunk of a frame. */
function measureWebpFrame(view: DataView, at: number): Pixels | undefined {
  if (at + 18 > view.byteLength) return undefined;
  switch (view.getUint32(at)) {
    case VP8L: {
      const packed = view.getUint32(at + 9, true);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case VP8:
      return {
        width: view.getUint16(at + 14, true) & 0x3fff,
        height: view.getUint16(at + 16, true) & 0x3fff,
      };
    default:
      return undefined;
  }
}

/** Where the first frame begins: among chunks that each say how long they are, padded to even. */
function findWebpFrame(view: DataView): number | undefined {
  let at = 30;
  while (at + 8 <= view.byteLength) {
    const kind = view.getUint32(at);
    if (kind === VP8 || kind === VP8L) return at;
    const length = view.getUint32(at + 4, true);
    // Sixteen bytes of an animation's frame stand before what it is made of.
    at += kind === ANMF ? 8 + 16 : 8 + length + (length % 2);
  }
  return undefined;
}

const VP8 = 0x56_50_38_20;
const VP8L = 0x56_50_38_4c;
const VP8X = 0x56_50_38_58;
const ANMF = 0x41_4e_4d_46;

/** The size stands in the header of the frame, after segments that each say how long they are. */
export function measureJpeg(bytes: Uint8Array): Pixels | undefined {
  const view = viewOf(bytes);
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    else if (isBare(marker)) at += 2;
    else if (marker === START_OF_SCAN) return undefined;
    else {
      const length = view.getUint16(at + 2);
      // It counts itself.
      if (length < 2) return undefined;
      at += 2 + length;
    }
  }
  return undefined;
}

const START_OF_SCAN = 0xda;

/** Of all the frames, without the three markers between them that are tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function isBare(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

function readUint24(view: DataView, at: number): number {
  return view.getUint16(at, true) + view.getUint8(at + 2) * 0x1_00_00;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
