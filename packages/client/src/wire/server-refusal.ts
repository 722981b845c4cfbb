/** A no of the server, in its words. */
export interface ServerRefusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** Characters of an answer that says no; a longer one is not ours. */
export const REFUSAL_LENGTH_MAX = 16_384;

/** Reads `{ error: { code, message } }`; any other body is named by its status. */
export async function readRefusal(response: Response): Promise<ServerRefusal> {
  const unnamed = { status: response.status, code: `HTTP_${response.status}`, message: "" };
  try {
    const text = await response.text();
    const { error } = text.length <= REFUSAL_LENGTH_MAX ? JSON.parse(text) : unnamed;
    const isNamed = typeof error?.code === "string" && typeof error?.message === "string";
    return isNamed ? { ...unnamed, code: error.code, message: error.message } : unnamed;
  } catch {
    return unnamed;
  }
}
