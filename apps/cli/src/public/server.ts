export {
  type Agent,
  type Authenticate,
  apiKeys,
  type Caller,
  createServer,
  localhostOnly,
  nodeHandler,
  oidc,
  type Server,
  serve,
} from "@turnseal/server";
