/**
 * Connects to a server.
 *
 * 1. An answer alone decides which protocol it speaks. Once that is pinned, no other is tried.
 * 2. It can ask a person to fill in a form, between two calls, and this side for nothing else.
 */
import type { Client, Transport } from "@modelcontextprotocol/client";
import { notDone } from "@turnseal/protocol/authoring";
import { isProgram, type McpServerConfig } from "../config/server-config.ts";
import { CONNECT_MS_MAX, LIST_PAGES_MAX, SERVER_TOOLS_MAX } from "../limits.ts";
import { addressTransport } from "./address-transport.ts";
import type { Connection, ProtocolEra, ToolCall } from "./connection.ts";
import {
  explainCall,
  explainUnconnected,
  explainUnlisted,
  type Reader,
} from "./explain-failure.ts";
import { guardTransport } from "./guard-transport.ts";
import { loadSdk, type Sdk } from "./load-sdk.ts";
import { programTransport } from "./program-transport.ts";
import { openPlace, startProgram } from "./start-program.ts";

export interface Connecting {
  /** The values of the secrets that the server names, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The pinned era. Without one, the server is asked. */
  readonly era?: ProtocolEra | undefined;
  readonly signal: AbortSignal;
}

/** The newest revision that the client speaks. */
const MODERN = "2026-07-28";

/** Throws `notDone` where no connection can be made. */
export async function connectServer(
  config: McpServerConfig,
  { secrets, era, signal }: Connecting,
): Promise<Connection> {
  const sdk = await loadSdk();
  const { transport, complaint } = openTransport(sdk, config, fillSecrets(config, secrets));
  // A server without a pin is asked for a review, and never for a call.
  const reader = era === undefined ? "person" : "model";
  let isLegacy = era === "legacy";
  let [isOpen, changes] = [true, 0];
  const guarded = guardTransport(transport, { isLegacy: () => isLegacy });
  const client = new sdk.Client(
    { name: "turnseal", version: "0" },
    {
      // An older server would ask inside a call that hangs.
      capabilities: era === "modern" ? { elicitation: { form: {} } } : {},
      inputRequired: { autoFulfill: false },
      versionNegotiation: { mode: modeOf(era) },
    },
  );
  client.onclose = () => {
    isOpen = false;
  };
  client.setNotificationHandler("notifications/tools/list_changed", () => {
    changes += 1;
  });
  try {
    await client.connect(guarded, { timeout: CONNECT_MS_MAX, signal });
  } catch (error) {
    await transport.close().catch(() => {});
    throw explainUnconnected(sdk, error, reader, complaint());
  }
  isLegacy = client.getProtocolEra() !== "modern";
  const info = client.getServerVersion();
  return {
    era: isLegacy ? "legacy" : "modern",
    revision: client.getNegotiatedProtocolVersion() ?? "",
    claims: info === undefined ? "" : `${info.name} ${info.version}`,
    isOpen: () => isOpen,
    countChanges: () => changes,
    listTools: (asked) => listTools(sdk, client, { signal: asked, reader }),
    callTool: (call) => callTool(sdk, client, call),
    close: () => client.close().catch(() => {}),
  };
}

function modeOf(era: ProtocolEra | undefined) {
  if (era === undefined) return "auto" as const;
  return era === "legacy" ? ("legacy" as const) : { pin: MODERN };
}

/** The variables of a program, or the headers of requests, with the values of secrets. */
function fillSecrets(
  config: McpServerConfig,
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const given = isProgram(config) ? config.env : config.headers;
  const filled = new Map(Object.entries(given ?? {}));
  for (const [place, name] of Object.entries(config.secrets ?? {})) {
    const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    if (value === undefined) throw notDone(`the secret ${name} of the server is missing`);
    filled.set(place, value);
  }
  return Object.fromEntries(filled);
}

function openTransport(
  sdk: Sdk,
  config: McpServerConfig,
  values: Readonly<Record<string, string>>,
): { readonly transport: Transport; readonly complaint: () => string } {
  if (!isProgram(config))
    return { transport: addressTransport(sdk, config.url, values), complaint: () => "" };
  const place = openPlace(config);
  const transport = programTransport(
    () => startProgram(config, place, values).catch((error: unknown) => fail(place, error)),
    place.remove,
  );
  return { transport, complaint: transport.complaint };
}

function fail(place: { remove(): void }, error: unknown): never {
  place.remove();
  throw error;
}

async function listTools(
  sdk: Sdk,
  client: Client,
  { signal, reader }: { readonly signal: AbortSignal; readonly reader: Reader },
): Promise<readonly unknown[]> {
  const tools: unknown[] = [];
  if (client.getServerCapabilities()?.tools === undefined) return tools;
  let cursor: string | undefined;
  const seen = new Set<string>();
  for (let page = 0; page < LIST_PAGES_MAX; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const options = { signal, timeout: CONNECT_MS_MAX };
    const answer = await client
      .request({ method: "tools/list", params }, options)
      .catch((error: unknown) => {
        throw explainUnlisted(sdk, error, reader);
      });
    tools.push(...answer.tools);
    if (tools.length > SERVER_TOOLS_MAX)
      throw notDone(`the server lists more than ${SERVER_TOOLS_MAX} tools`);
    cursor = answer.nextCursor;
    if (cursor === undefined) return tools;
    if (seen.has(cursor)) break;
    seen.add(cursor);
  }
  throw notDone("the list of the server's tools has no end");
}

/** A definition without an output schema: the result is validated by our own bounded reader. */
async function callTool(sdk: Sdk, client: Client, call: ToolCall): Promise<unknown> {
  const { name, inputSchema, meta, headers, timeoutMs, signal, onProgress, answered } = call;
  try {
    return await client.callTool(
      {
        ...{ name, arguments: { ...call.arguments }, ...answered },
        ...(meta === undefined ? {} : { _meta: meta }),
      },
      {
        ...{ signal, timeout: timeoutMs, allowInputRequired: true },
        toolDefinition: { name, inputSchema: { ...inputSchema, type: "object" } },
        onprogress: ({ message }) => {
          if (typeof message === "string") onProgress(message);
        },
        ...(headers === undefined ? {} : { headers }),
      },
    );
  } catch (error) {
    throw explainCall(sdk, error, call.isErrorUndone);
  }
}
