/**
 * The page: a client of one run, whose id is in the address, so that a reload comes back to it.
 * Nothing is kept in the page itself.
 */
import {
  createSessionClient,
  type FileRef,
  type SessionClient,
  type SessionView,
} from "@turnseal/client";
import { renderItem } from "./render-item.ts";

/** Where `turnseal serve` listens. */
declare const SERVER_URL: string;

const items = find("items");
const status = find("status");
const text = find("text") as HTMLTextAreaElement;
const send = find("send") as HTMLButtonElement;
const stop = find("stop") as HTMLButtonElement;
const chosen = find("files") as HTMLInputElement;
const drawn = new Map<string, { readonly item: unknown; readonly element: HTMLElement }>();
let client: SessionClient | undefined;

find("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  void say(text.value.trim());
});
text.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  void say(text.value.trim());
});
chosen.addEventListener("change", drawChosen);
stop.addEventListener("click", () => void client?.abort());
find("fresh").addEventListener("click", () => {
  location.hash = "";
});
addEventListener("hashchange", open);
open();

/** Opens the chat that the address names, or none. */
function open(): void {
  client?.close();
  client = undefined;
  drawn.clear();
  items.replaceChildren();
  const run = location.hash.slice(1);
  if (run !== "") {
    client = createSessionClient({ url: SERVER_URL, run });
    client.subscribe(draw);
    client.connect();
  }
  draw();
}

async function say(words: string): Promise<void> {
  if (words === "" || send.disabled) return;
  send.disabled = true;
  const given = [...(chosen.files ?? [])];
  const isSaid =
    client === undefined ? await begin(words, given) : await tell(client, words, given);
  send.disabled = false;
  if (isSaid) [text.value, chosen.value] = ["", ""];
  drawChosen();
  if (isSaid) draw();
}

/** The first message starts a run; its files are given before, under the key of the start. */
async function begin(words: string, given: readonly File[]): Promise<boolean> {
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), String).join("-");
  const files: unknown[] = [];
  for (const file of given) {
    const address = `${SERVER_URL}/v1/starts/${key}/files?name=${encodeURIComponent(file.name)}`;
    const sent = await fetch(address, {
      ...{ method: "POST", body: file },
      headers: { "content-type": file.type },
    }).catch(() => undefined);
    if (!sent?.ok) return refuse(file);
    files.push(await sent.json());
  }
  const input = { text: words, ...(files.length === 0 ? {} : { files }) };
  const response = await fetch(`${SERVER_URL}/v1/runs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ agent: "support", input, key }),
  }).catch(() => undefined);
  if (!response?.ok) return false;
  const { run } = (await response.json()) as { run: string };
  location.hash = run;
  return true;
}

async function tell(to: SessionClient, words: string, given: readonly File[]): Promise<boolean> {
  const files: FileRef[] = [];
  for (const file of given) {
    const answer = await to.upload({ blob: file, name: file.name });
    if (answer.kind !== "accepted") return refuse(file);
    files.push(answer.file);
  }
  const named = files.length === 0 ? undefined : files;
  return (await to.send(words, undefined, named)).kind === "accepted";
}

function refuse(file: File): false {
  status.textContent = `${file.name} is not accepted`;
  chosen.value = "";
  return false;
}

function drawChosen(): void {
  const names = [...(chosen.files ?? [])].map(({ name }) => name);
  find("chosen").textContent = names.length === 0 ? "Attach" : names.join(", ");
}

/** Where an image can be shown from. Its bytes are hostile: nothing else opens them. */
async function locate(file: FileRef): Promise<string | undefined> {
  const answer = await client?.download(file);
  return answer?.kind === "read" ? URL.createObjectURL(answer.blob) : undefined;
}

function draw(): void {
  const view = client?.state();
  const isAtEnd = items.scrollHeight - items.scrollTop - items.clientHeight < 40;
  if (view !== undefined) drawItems(view);
  const isRunning = view?.status === "running";
  stop.hidden = !isRunning;
  text.disabled = view?.status === "done";
  status.textContent = view === undefined ? "" : describe(view);
  if (isAtEnd) items.scrollTop = items.scrollHeight;
}

/** Draws what has changed, where it stands. */
function drawItems({ items: shown, requests }: SessionView): void {
  const choices = {
    requestOf: ({ message }: { readonly message?: string }) =>
      requests.find((request) => request.message === message),
    decide: ({ id: approval }: { readonly id: string }, choice: "approve" | "reject") =>
      void client?.decide({ approval, choice }),
    locate,
  };
  const elements = shown.map((item) => {
    const known = drawn.get(item.id);
    // A tool that waits is drawn anew: what it waits for may have arrived after it.
    const isWaiting = item.kind === "tool" && item.status === "pending_approval";
    if (known !== undefined && known.item === item && !isWaiting) return known.element;
    const element = renderItem(item, choices);
    drawn.set(item.id, { item, element });
    return element;
  });
  items.replaceChildren(...elements);
}

function describe({ connection, status: run, requests }: SessionView): string {
  if (connection.kind === "refused") return `refused: ${connection.refusal.message}`;
  if (run === "done") return "This chat has ended.";
  if (connection.kind !== "open") return "connecting…";
  if (requests.length > 0) return "waits for you";
  return run === "running" ? "is answering…" : "";
}

function find(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no ${id}`);
  return element;
}
