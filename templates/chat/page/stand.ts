/** Where the conversation stands, for the person who chats. Operators read the server's output. */

export interface Stand {
  /** Its budget is spent, or somebody ended it: no message is taken any more. */
  readonly isOver: boolean;
  /** It waits for the model's provider, and may ask it again. */
  readonly mayRetry: boolean;
}

export async function readStand(run: string): Promise<Stand> {
  const response = await fetch(`/v1/runs/${run}`);
  if (!response.ok) return { isOver: false, mayRetry: false };
  const { status, provider } = Object(await response.json());
  return { isOver: status === "done", mayRetry: provider !== undefined };
}

/** Asks the provider again at once. */
export async function askAgain(run: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  await fetch(`/v1/runs/${run}/retry`, { method: "POST", headers, body: "{}" });
}
