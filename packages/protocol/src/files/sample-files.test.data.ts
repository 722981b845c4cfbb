/** The first bytes of files, as their formats have them: enough to say what they are. */
const text = (words: string): number[] => [...new TextEncoder().encode(words)];
const big = (value: number, size: 2 | 4): number[] =>
  [24, 16, 8, 0].slice(4 - size).map((shift) => (value >>> shift) & 0xff);
export const little = (value: number, size: 2 | 3 | 4): number[] =>
  [0, 8, 16, 24].slice(0, size).map((shift) => (value >>> shift) & 0xff);

interface Size {
  readonly width: number;
  readonly height: number;
}

export function png({ width, height }: Size, rest: readonly number[] = []): Uint8Array {
  const mark = [0x89, ...text("PNG"), 0x0d, 0x0a, 0x1a, 0x0a];
  const header = [...big(13, 4), ...text("IHDR"), ...big(width, 4), ...big(height, 4)];
  return Uint8Array.from([...mark, ...header, 8, 6, 0, 0, 0, ...rest]);
}

export function gif({ width, height }: Size): Uint8Array {
  return Uint8Array.from([...text("GIF89a"), ...little(width, 2), ...little(height, 2), 0, 0, 0]);
}

/** With a comment and a fill byte before the frame, as cameras write them. */
export function jpeg({ width, height }: Size, frame = 0xc0): Uint8Array {
  const comment = [0xff, 0xfe, ...big(5, 2), 1, 2, 3];
  const head = [0xff, 0xff, frame, ...big(17, 2), 8, ...big(height, 2), ...big(width, 2), 3];
  return Uint8Array.from([0xff, 0xd8, ...comment, ...head, 0, 0, 0]);
}

export function webp({ width, height }: Size, kind: "VP8 " | "VP8L" | "VP8X"): Uint8Array {
  const sizes = {
    "VP8 ": [0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)],
    VP8L: [0x2f, ...little(((height - 1) << 14) | (width - 1), 4), 0, 0, 0, 0, 0],
    VP8X: [0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)],
  };
  const chunk = [...text(kind), ...little(10, 4), ...sizes[kind]];
  return Uint8Array.from([...text("RIFF"), ...little(22, 4), ...text("WEBP"), ...chunk]);
}

export const pdf = Uint8Array.from(text("%PDF-1.7\n%%EOF\n"));
export const wav = Uint8Array.from([...text("RIFF"), ...little(36, 4), ...text("WAVEfmt ")]);
export const mp3 = Uint8Array.from([0xff, 0xfb, 0x90, 0x64, 0, 0, 0, 0]);
export const taggedMp3 = Uint8Array.from([...text("ID3"), 4, 0, 0, 0, 0, 0, 0]);
