/** Maps ZooKeeper's errors to those of the registry's contract. */
import { MultiError, ZooKeeperError, type ZooKeeperErrorCode } from '@elasticjob/zookeeper'

import { RegistryError, type RegistryErrorCode } from '../registry-error.ts'

/** Any other code maps to `REGISTRY_FAILED`, with ZooKeeper's error as its cause. */
const codes: Readonly<Partial<Record<ZooKeeperErrorCode, RegistryErrorCode>>> = {
  ZK_NO_NODE: 'REGISTRY_NO_NODE',
  ZK_NODE_EXISTS: 'REGISTRY_NODE_EXISTS',
  ZK_BAD_VERSION: 'REGISTRY_BAD_VERSION',
  ZK_NOT_EMPTY: 'REGISTRY_NOT_EMPTY',
  ZK_NOT_CONNECTED: 'REGISTRY_NOT_CONNECTED',
  ZK_CONNECT_FAILED: 'REGISTRY_NOT_CONNECTED',
  ZK_CONNECTION_LOSS: 'REGISTRY_CONNECTION_LOSS',
  ZK_CONNECTION_CLOSED: 'REGISTRY_CONNECTION_LOSS',
  ZK_READ_TIMEOUT: 'REGISTRY_CONNECTION_LOSS',
  // The request came over a connection that the session has left.
  ZK_SESSION_MOVED: 'REGISTRY_CONNECTION_LOSS',
  ZK_SESSION_EXPIRED: 'REGISTRY_SESSION_EXPIRED',
  ZK_DEADLINE_EXCEEDED: 'REGISTRY_DEADLINE_EXCEEDED',
  ZK_CLOSED: 'REGISTRY_CLOSED',
  ZK_NO_AUTH: 'REGISTRY_NO_AUTH',
  ZK_AUTH_FAILED: 'REGISTRY_AUTH_FAILED',
  ZK_LEASE_IMPOSSIBLE: 'REGISTRY_LEASE_IMPOSSIBLE',
  ZK_UNIMPLEMENTED: 'REGISTRY_UNSUPPORTED',
  ZK_INVALID_PATH: 'REGISTRY_INVALID_PATH',
  ZK_INVALID_ARGUMENT: 'REGISTRY_INVALID_ARGUMENT',
}

/** Converts an error of the client; its stack is that of its cause. */
export function toRegistryError(error: ZooKeeperError): RegistryError {
  const { stackTraceLimit } = Error
  // Reads of many nodes create thousands of errors, and capturing their stacks would take most of the time.
  Error.stackTraceLimit = 0
  try {
    return new RegistryError(codes[error.code] ?? 'REGISTRY_FAILED', error.message, {
      path: error.path,
      outcomeUnknown: error.outcomeUnknown,
      partIndex: error instanceof MultiError ? error.index : undefined,
      cause: error,
    })
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Returns any other error unchanged. */
export function asRegistryError(error: unknown): unknown {
  return error instanceof ZooKeeperError ? toRegistryError(error) : error
}

/** For the end of a chain of promises. */
export function rethrow(error: unknown): never {
  throw asRegistryError(error)
}
