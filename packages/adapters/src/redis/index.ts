export {
  openRedis,
  type Redis,
  type RedisOptions,
  type RedisTenant,
} from "./open-redis.ts";
