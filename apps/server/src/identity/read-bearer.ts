/** UTF-16 units of a token or a key. */
export const TOKEN_LENGTH_MAX = 8_192;

const bearerPattern = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i;

/** The token of `authorization: Bearer <token>`; undefined when there is none, or no good one. */
export function readBearer(request: Request): string | undefined {
  const header = request.headers.get("authorization") ?? "";
  if (header.length > TOKEN_LENGTH_MAX + "Bearer ".length) return undefined;
  return bearerPattern.exec(header)?.[1];
}
