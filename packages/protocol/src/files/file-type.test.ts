import { describe, expect, test } from "vitest";
import { FILE_BYTES_MAX, FILE_PIXELS_MAX } from "./file-limits.ts";
import {
  checkFile,
  checkFileHead,
  FILE_TYPES,
  findFileType,
  HEAD_BYTES,
  takesType,
} from "./file-type.ts";
import {
  gif,
  jpeg,
  little,
  mp3,
  pdf,
  png,
  taggedMp3,
  wav,
  webp,
} from "./sample-files.test.data.ts";

const small = { width: 640, height: 480 };
const samples: readonly [mediaType: string, bytes: Uint8Array][] = [
  ["image/png", png(small)],
  ["image/jpeg", jpeg(small)],
  ["image/gif", gif(small)],
  ["image/webp", webp(small, "VP8 ")],
  ["image/webp", webp(small, "VP8L")],
  ["image/webp", webp(small, "VP8X")],
  ["application/pdf", pdf],
  ["audio/wav", wav],
  ["audio/mpeg", mp3],
  ["audio/mpeg", taggedMp3],
];

describe.each(samples)("%s", (mediaType, bytes) => {
  test("is what it says", () => {
    expect(checkFile(bytes, mediaType)).toBeUndefined();
    expect(findFileType(bytes)).toBe(mediaType);
    expect(checkFileHead(bytes.subarray(0, HEAD_BYTES), mediaType)).toBeUndefined();
  });

  test.each(FILE_TYPES.filter((type) => type !== mediaType))("is no %s", (other) => {
    expect(checkFile(bytes, other)).toBe("type-false");
  });

  test("is nothing without its first byte", () => {
    expect(checkFile(bytes.subarray(1), mediaType)).toBe("type-false");
  });
});

test.each(["text/html", "image/svg+xml", "image/*", "IMAGE/PNG", "", "__proto__"])(
  "%s is no type of a file",
  (mediaType) => {
    expect(checkFile(png(small), mediaType)).toBe("type-unknown");
  },
);

test.each([
  ["HTML", "<!doctype html><script>alert(1)</script>"],
  ["a picture of text", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a PDF that begins later", " %PDF-1.7"],
])("%s is refused under every type", (_, words) => {
  for (const type of FILE_TYPES)
    expect(checkFile(new TextEncoder().encode(words), type)).toBe("type-false");
});

test("nothing is no file", () => {
  expect(checkFile(new Uint8Array(), "application/pdf")).toBe("file-empty");
});

test("a file has at most FILE_BYTES_MAX bytes", () => {
  const bytes = new Uint8Array(FILE_BYTES_MAX + 1);
  bytes.set(pdf);
  expect(checkFile(bytes.subarray(0, FILE_BYTES_MAX), "application/pdf")).toBeUndefined();
  expect(checkFile(bytes, "application/pdf")).toBe("file-too-large");
});

describe("an image has at most FILE_PIXELS_MAX pixels", () => {
  const height = FILE_PIXELS_MAX / 10_000;
  const most = { width: 10_000, height };
  const more = { width: 10_000, height: height + 1 };
  test.each([
    ["image/png", png(most), png(more)],
    ["image/jpeg", jpeg(most), jpeg(more)],
    ["image/jpeg", jpeg(most, 0xc2), jpeg(more, 0xc2)],
    ["image/gif", gif(most), gif(more)],
    ["image/webp", webp(most, "VP8 "), webp(more, "VP8 ")],
    ["image/webp", webp(most, "VP8L"), webp(more, "VP8L")],
    ["image/webp", webp(most, "VP8X"), webp(more, "VP8X")],
  ])("%s", (mediaType, fits, bomb) => {
    expect(checkFile(fits, mediaType)).toBeUndefined();
    expect(checkFile(bomb, mediaType)).toBe("image-too-large");
  });

  const frame = little(65_535, 2).concat(little(65_535, 2));
  const gifFrame = [0x2c, 0, 0, 0, 0, ...frame, 0];
  const webpFrame = [...webp({ width: 16_383, height: 16_383 }, "VP8 ")].slice(12);
  const one = { width: 1, height: 1 };
  test.each([
    ["a GIF", "image/gif", [...gif(one), ...gifFrame]],
    ["a GIF, after a comment", "image/gif", [...gif(one), 0x21, 0xfe, 2, 9, 9, 0, ...gifFrame]],
    ["a WebP", "image/webp", [...webp(one, "VP8X"), ...webpFrame]],
    [
      "an animated WebP",
      "image/webp",
      [
        ...webp(one, "VP8X"),
        ...[0x41, 0x4e, 0x4d, 0x46],
        ...little(34, 4),
        ...Array(16).fill(0),
      ].concat(webpFrame),
    ],
  ])("also in the first frame of %s", (_, mediaType, bytes) => {
    expect(checkFile(Uint8Array.from(bytes), mediaType)).toBe("image-too-large");
  });

  test("also where their number is larger than a computer counts to", () => {
    const bomb = png({ width: 0xff_ff_ff_ff, height: 0xff_ff_ff_ff });
    expect(checkFile(bomb, "image/png")).toBe("image-too-large");
  });
});

test.each([
  ["an image of nothing", png({ width: 0, height: 5 }), "image/png"],
  ["one that is cut off", png(small).subarray(0, 20), "image/png"],
  [
    "one whose first chunk is another",
    png(small).map((byte, at) => (at === 12 ? 0 : byte)),
    "image/png",
  ],
  ["a JPEG without a frame", jpeg(small).subarray(0, 12), "image/jpeg"],
  [
    "a JPEG whose segment has no length",
    Uint8Array.from([0xff, 0xd8, 0xff, 0xfe, 0, 0, 1, 2, 3, 4, 5, 6]),
    "image/jpeg",
  ],
  [
    "a WebP of an unknown kind",
    webp(small, "VP8X").map((byte, at) => (at === 15 ? 0x21 : byte)),
    "image/webp",
  ],
])("%s does not say how large it is", (_, bytes, mediaType) => {
  expect(checkFile(bytes, mediaType)).toBe("image-unreadable");
});

test("who takes images takes all of them, and nothing else", () => {
  expect(takesType(["image/*"], "image/png")).toBe(true);
  expect(takesType(["image/*"], "application/pdf")).toBe(false);
  expect(takesType(["image/png"], "image/jpeg")).toBe(false);
  expect(takesType([], "image/png")).toBe(false);
});
