import type { Caller } from "@turnseal/sessions";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { type Authenticate, parseCaller } from "./caller.ts";
import { readBearer } from "./read-bearer.ts";

export interface OidcOptions {
  /** The signer of the tokens: compared with `iss`. */
  readonly issuer: string;
  /** The audience of the tokens: compared with `aud`. */
  readonly audience: string;
  /** Where the issuer's public keys are. */
  readonly jwks: string;
  /** The claims that say who it is. `id` is `sub` and `roles` is `roles`, unless they are named. */
  readonly claims: { readonly tenant: string; readonly id?: string; readonly roles?: string };
}

/** Signatures by a key that only the issuer has; neither `none` nor a secret of two. */
const ALGORITHMS = ["EdDSA", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512", "RS256"];
/** Clocks may differ by so much. */
const CLOCK_TOLERANCE_S = 5;
const JWKS_TIMEOUT_MS = 5_000;

/**
 * People who are known by a token of an OpenID Connect provider.
 *
 * @example
 * oidc({
 *   issuer: "https://login.example",
 *   audience: "turnseal",
 *   jwks: "https://login.example/keys",
 *   claims: { tenant: "organisation" },
 * });
 */
export function oidc({ issuer, audience, jwks, claims }: OidcOptions): Authenticate {
  const keys = createRemoteJWKSet(new URL(jwks), { timeoutDuration: JWKS_TIMEOUT_MS });
  return async (request) => {
    const token = readBearer(request);
    if (token === undefined) return undefined;
    try {
      const { payload } = await jwtVerify(token, keys, {
        ...{ issuer, audience, algorithms: ALGORITHMS },
        requiredClaims: ["exp"],
        clockTolerance: CLOCK_TOLERANCE_S,
      });
      return toCaller(payload, claims);
    } catch (error) {
      if (isAboutToken(error)) return undefined;
      throw error;
    }
  };
}

function toCaller(payload: JWTPayload, claims: OidcOptions["claims"]): Caller | undefined {
  const read = (name: string): unknown =>
    Object.hasOwn(payload, name) ? payload[name] : undefined;
  const { tenant, id = "sub", roles = "roles" } = claims;
  const caller = parseCaller({
    tenant: read(tenant),
    id: read(id),
    roles: read(roles) ?? [],
  });
  return caller && { ...caller, expiresAtMs: Number(payload.exp) * 1_000 };
}

/** False if the issuer's keys could not be read: then the token cannot be checked. */
function isAboutToken(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  const isAway = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  return !isAway && error.code !== "ERR_JOSE_GENERIC";
}
