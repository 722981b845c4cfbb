/** A provider of tokens on a real port, for tests: with its own keys, and a foreign one. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export interface TokenIssuer {
  readonly issuer: string;
  readonly jwks: string;
  /** A valid token, with the given changes. */
  sign(claims?: Readonly<Record<string, unknown>>, changes?: TokenChanges): Promise<string>;
  /** From now on nobody gets the keys. */
  close(): Promise<void>;
}

export interface TokenChanges {
  readonly expires?: string;
  /** Signed by a key that the issuer has not published. */
  readonly isForeign?: boolean;
}

export async function openIssuer(): Promise<TokenIssuer> {
  const own = await generateKeyPair("ES256");
  const foreign = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(own.publicKey)), kid: "one", alg: "ES256" }];
  const http = createServer((_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    issuer,
    jwks: `${issuer}/keys`,
    sign: (claims = {}, { expires = "5m", isForeign = false } = {}) =>
      new SignJWT({ iss: issuer, aud: "turnseal", sub: "ada", org: "alpha", ...claims })
        .setProtectedHeader({ alg: "ES256", kid: "one" })
        .setExpirationTime(expires)
        .sign(isForeign ? foreign.privateKey : own.privateKey),
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
}
