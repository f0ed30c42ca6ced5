/** The operations of a writer. Data are texts, so that differences are readable. */
export type Step =
  | {
      readonly kind: 'create'
      readonly path: string
      readonly data: string
      readonly isEphemeral: boolean
      readonly isSequential: boolean
    }
  /** A version of -1 matches any. */
  | { readonly kind: 'set'; readonly path: string; readonly data: string; readonly version: number }
  | { readonly kind: 'delete'; readonly path: string; readonly version: number }
  | { readonly kind: 'check'; readonly path: string; readonly version: number }

export type Operation =
  | Exclude<Step, { kind: 'check' }>
  | { readonly kind: 'multi'; readonly steps: readonly Step[] }

/** The result of an operation: for each step the created path or the new version, or an error. */
export type Outcome =
  | { readonly results: readonly (string | number)[] }
  | { readonly error: string }

export function stepsOf(operation: Operation): readonly Step[] {
  return operation.kind === 'multi' ? operation.steps : [operation]
}
