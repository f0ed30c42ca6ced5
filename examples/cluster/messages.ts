/** What a worker tells the process that started it. */
export type WorkerMessage =
  | { readonly kind: 'joined' }
  | { readonly kind: 'leads' }
  | { readonly kind: 'ran'; readonly item: number; readonly fireTime: number }
  | { readonly kind: 'failed'; readonly item: number; readonly reason: string }
