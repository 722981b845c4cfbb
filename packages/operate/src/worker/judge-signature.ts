/**
 * Why a signature of an engine was refused. The engine's library only says that it was. But a wrong
 * clock and an unknown key are fixed by different people.
 */
import { type KeyObject, verify } from "node:crypto";
import { isPlainObject } from "@turnseal/protocol";
import { isIdentityKey, readIdentityKey } from "@turnseal/runtime/engine";

/** The header in which an engine signs a request. */
export const SIGNATURE_HEADER = "x-restate-jwt-v1";
const TOKEN_LENGTH_MAX = 4_096;

export type SignatureJudgement =
  | { readonly kind: "valid" }
  /**
   * An engine that is known has signed it, for another time than the clock of this process says.
   */
  | { readonly kind: "clock"; readonly apartMs: number }
  /** It names a key that this process does not know. */
  | { readonly kind: "key"; readonly key: string }
  /** Any client may have sent it. */
  | { readonly kind: "unsigned" };

const UNSIGNED = { kind: "unsigned" } as const;

/** Judges the tokens of requests by the public keys of the engines. */
export function createSignatureJudge(
  identityKeys: readonly string[],
  now: () => number = Date.now,
): (token: unknown) => SignatureJudgement {
  const keys = new Map<string, KeyObject>(identityKeys.map((key) => [key, readIdentityKey(key)]));
  return (token) => {
    if (typeof token !== "string" || token.length > TOKEN_LENGTH_MAX) return UNSIGNED;
    const [header = "", claims = "", signature = "", ...more] = token.split(".");
    const kid = readPart(header)?.["kid"];
    if (more.length > 0 || typeof kid !== "string" || !isIdentityKey(kid)) return UNSIGNED;
    const key = keys.get(kid);
    if (key === undefined) return { kind: "key", key: kid };
    const signed = Buffer.from(`${header}.${claims}`);
    if (!verify(null, signed, key, Buffer.from(signature, "base64url"))) return UNSIGNED;
    return judgeTime(readPart(claims) ?? {}, now());
  };
}

/** The times are seconds since 1970, as in every token of that kind. */
function judgeTime(claims: Readonly<Record<string, unknown>>, nowMs: number): SignatureJudgement {
  const [from, until] = [Number(claims["nbf"]) * 1_000, Number(claims["exp"]) * 1_000];
  if (nowMs >= from && nowMs <= until) return { kind: "valid" };
  const signedAtMs = Number(claims["iat"]) * 1_000;
  return Number.isFinite(signedAtMs) ? { kind: "clock", apartMs: nowMs - signedAtMs } : UNSIGNED;
}

function readPart(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const part: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return isPlainObject(part) ? part : undefined;
  } catch {
    return undefined;
  }
}
