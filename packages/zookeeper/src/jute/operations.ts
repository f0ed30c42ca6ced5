/** Every operation of the protocol that a client may ask for, by its name. */
export * from './node-operations.ts'
export * from './watch-operations.ts'
export * from './session-operations.ts'
export * from './multi.ts'
