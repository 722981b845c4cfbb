import type { ModelMessage } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { AUDIO_RESERVE_FACTOR, FILE_RESERVE_FACTOR, PDF_RESERVE_TOKENS_MIN } from "../limits.ts";
import { estimateFiles, reserveFiles } from "./message-files.ts";

const shown = (mediaType: string, bytes: number): ModelMessage => ({
  role: "user",
  text: "",
  files: [{ file: `hmac-sha256:${"0".repeat(64)}`, mediaType, bytes }],
});

describe("what is reserved for a file is more than it is estimated at", () => {
  test.each([
    ["application/pdf", 847, 1_600, 160_000],
    ["application/pdf", 5_120_000, 40_000, 160_000],
    ["application/pdf", 12_800_000, 100_000, 400_000],
    ["image/png", 30, 1_600, 6_400],
    ["audio/mpeg", 30, 64, 1_024],
    ["audio/wav", 512_000, 1_000, 16_000],
  ])("%s of %d bytes", (mediaType, bytes, estimated, reserved) => {
    expect(estimateFiles(shown(mediaType, bytes))).toBe(estimated);
    expect(reserveFiles(shown(mediaType, bytes))).toBe(reserved);
  });

  test("by PDF_RESERVE_TOKENS_MIN, FILE_RESERVE_FACTOR and AUDIO_RESERVE_FACTOR", () => {
    const limits = [PDF_RESERVE_TOKENS_MIN, FILE_RESERVE_FACTOR, AUDIO_RESERVE_FACTOR];
    expect(limits).toEqual([160_000, 4, 16]);
  });
});
