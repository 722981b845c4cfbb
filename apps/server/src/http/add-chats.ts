/**
 * Chats for pages that use the AI SDK: `useChat` with its own transport, or with ours.
 *
 *     POST /v1/chats/:agent              { id, messages, trigger }
 *     GET  /v1/chats/:agent/:id/stream   204 while nothing is under way
 */
import { findTurn } from "@turnseal/host";
import { formatGenerationId } from "@turnseal/protocol/events";
import type { Context } from "hono";
import type { Agent, SessionHost } from "../session-host.ts";
import { readTranscript } from "../ui/read-transcript.ts";
import { findFirstTry, findLastTry } from "../ui/retries.ts";
import { type TurnToTell, tellTurn } from "../ui/tell-turn.ts";
import { DONE, renderChunk, UI_STREAM_HEADERS } from "../ui/ui-chunk.ts";
import type { KeepUpload } from "./add-files.ts";
import { answerStarted } from "./add-runs.ts";
import { chatBody, chatStreamQuery, transcriptQuery } from "./chat-schemas.ts";
import type { ServerApp, ServerEnvironment } from "./environment.ts";
import { type Chat, findChat } from "./find-chat.ts";
import { type GiveBytes, giveJson } from "./give-bytes.ts";
import type { StreamRun } from "./open-run-stream.ts";
import { parseBody, parseFields } from "./parse-body.ts";
import { readChatMessage } from "./read-chat-message.ts";
import { refuse, toResponse } from "./refusal.ts";
import { currentTurn, findUnderWay, takeDecisions, takeWords } from "./take-chat.ts";
import { abortGeneration } from "./tell-run.ts";

export interface ChatParts {
  readonly agents: Readonly<Record<string, Agent>>;
  readonly streamRun: StreamRun;
  readonly keepUpload: KeepUpload;
  readonly give: GiveBytes;
}

type ChatContext = Context<ServerEnvironment>;

export function addChats(app: ServerApp, parts: ChatParts): void {
  const { agents, streamRun } = parts;
  const find = (context: ChatContext, id: string) =>
    findChat(context.var, { agents, agent: context.req.param("agent") ?? "", id });
  const idOf = (context: ChatContext) => context.req.param("id") ?? "";
  const tell = async (context: ChatContext, turn: Omit<TurnToTell, "host">) => {
    const { host } = context.var;
    const after = await placeBefore(host, turn.run, turn.turn);
    const lastTry = await findLastTry(host, turn.run, turn.turn);
    return streamRun(context, {
      ...{ run: turn.run, after, headers: UI_STREAM_HEADERS },
      toSink: (stream) => tellTurn(stream, { ...turn, host, lastTry }),
    });
  };
  app.post("/v1/chats/:agent", async (context) => {
    const body = await parseBody(context.req.raw, chatBody);
    if (body.kind === "refused") return toResponse(body.refusal);
    if (body.value.trigger === "regenerate-message")
      return toResponse(refuse("BODY_REFUSED", { message: NEVER_REWRITTEN }));
    const chat = await find(context, body.value.id);
    const agent = agents[context.req.param("agent")];
    if (chat === undefined || agent === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    const newest = body.value.messages.at(-1);
    const read = newest === undefined ? undefined : readChatMessage(newest);
    if (read === undefined) return toResponse(refuse("BODY_REFUSED"));
    if (read.kind === "refused") return toResponse(read.refusal);
    const { run } = chat;
    const talk = { chat, agent, word: { ...context.var, run } };
    const taken =
      read.kind === "words" ? await takeWords(talk, read) : await takeDecisions(talk, read);
    if (taken.kind === "refused") return toResponse(taken.refusal);
    if (taken.kind === "queued") return answerQueued(taken.queued);
    const { kind: _, ...turn } = taken;
    return tell(context, { run, ...turn });
  });
  app.get("/v1/chats/:agent/:id/stream", async (context) => {
    const query = parseFields(context.req.query(), chatStreamQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const chat = await find(context, idOf(context));
    if (chat === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    const { turn, steps = 0 } = query.value;
    const wanted = turn ?? (await findUnderWay(context.var.host, chat, query.value.seen));
    if (wanted === undefined || !chat.isBegun) return new Response(null, { status: 204 });
    const isGuess = turn === undefined;
    const first = await findFirstTry(context.var.host, chat.run, Math.max(1, wanted));
    return tell(context, { run: chat.run, turn: first, steps, isGuess });
  });
  addChatPaths(app, { ...parts, find: (context) => find(context, idOf(context)) });
}

interface ChatPaths extends Pick<ChatParts, "keepUpload" | "give"> {
  readonly find: (context: ChatContext) => Promise<Chat | undefined>;
}

/** What was said in a chat, and what is told it beside words. */
function addChatPaths(app: ServerApp, { find, keepUpload, give }: ChatPaths): void {
  app.get("/v1/chats/:agent/:id", async (context) => {
    const chat = await find(context);
    if (chat === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    return answerStarted(chat.isBegun);
  });
  app.get("/v1/chats/:agent/:id/messages", async (context) => {
    const chat = await find(context);
    if (chat === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    if (!chat.isBegun) return context.json({ messages: [], sequence: 0, next: null });
    return answerTranscript(give, context, chat.run);
  });
  app.get("/v1/runs/:run/transcript", (context) =>
    answerTranscript(give, context, context.req.param("run")),
  );
  app.post("/v1/chats/:agent/:id/stop", async (context) => {
    const chat = await find(context);
    if (chat === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    if (!chat.isBegun) return toResponse(refuse("RUN_UNKNOWN"));
    const { run } = chat;
    const turn = currentTurn(await context.var.host.show(run));
    const generationId = formatGenerationId(run, turn);
    const stop = { generationId, key: `stop ${turn}` };
    const told = await abortGeneration({ ...context.var, run }, stop);
    if (told.kind === "refused") return toResponse(told.refusal);
    return context.json({ status: told.status }, 202);
  });
  app.post("/v1/chats/:agent/:id/files", async (context) => {
    const chat = await find(context);
    if (chat === undefined) return toResponse(refuse("AGENT_UNKNOWN"));
    const { host, caller } = context.var;
    const { run, key } = chat;
    return keepUpload({
      tenant: caller.tenant,
      keep: (file) =>
        key === undefined ? host.keepFile(run, file) : host.keepStartFile(key, file),
      ...{ request: context.req.raw, name: context.req.query("name") },
    });
  });
}

const NEVER_REWRITTEN = "what was said stays: send another message instead of regenerating one";

async function answerTranscript(
  give: GiveBytes,
  context: ChatContext,
  run: string,
): Promise<Response> {
  const query = parseFields(context.req.query(), transcriptQuery);
  if (query.kind === "refused") return toResponse(query.refusal);
  const page = await readTranscript(context.var.host, run, query.value);
  return page === undefined ? toResponse(refuse("CURSOR_REFUSED")) : giveJson(give, page, context);
}

/** Where the log stands before the first entry of a turn. */
async function placeBefore({ stores }: SessionHost, run: string, turn: number) {
  const head = await stores.log.readHead(run);
  const end = { run, sequence: (head?.sequence ?? 0) + 1 };
  const from = await findTurn(stores.log, end, turn);
  return from <= 1 ? undefined : { run, sequence: from - 1, index: ENVELOPE_INDEX_MAX };
}

/** After every envelope of an event. */
const ENVELOPE_INDEX_MAX = 999_999;

function answerQueued(words: string): Response {
  const queued = renderChunk({ type: "data-queued", data: { words }, transient: true });
  return new Response(Buffer.concat([queued, DONE]), { headers: UI_STREAM_HEADERS });
}
