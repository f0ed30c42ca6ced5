/** Every client operation of the protocol, by name. */
export * from './node-operations.ts'
export * from './watch-operations.ts'
export * from './session-operations.ts'
export * from './multi.ts'
