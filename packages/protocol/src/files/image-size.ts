/** How large an image is, by its own first bytes. Nothing is decoded. */

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

export function measureGif(bytes: Uint8Array): Pixels | undefined {
  if (bytes.length < 10) return undefined;
  const view = viewOf(bytes);
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

export function measureWebp(bytes: Uint8Array): Pixels | undefined {
  if (bytes.length < 30) return undefined;
  const view = viewOf(bytes);
  switch (view.getUint32(12)) {
    case VP8X:
      return { width: readUint24(view, 24) + 1, height: readUint24(view, 27) + 1 };
    case VP8L: {
      const packed = view.getUint32(21, true);
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
    }
    case VP8:
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    default:
      return undefined;
  }
}

const VP8 = 0x56_50_38_20;
const VP8L = 0x56_50_38_4c;
const VP8X = 0x56_50_38_58;

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
