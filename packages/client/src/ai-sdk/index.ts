export {
  type ChatMessages,
  type ChatTransportOptions,
  createChatTransport,
  type TurnsealChatTransport,
} from "./create-chat-transport.ts";
