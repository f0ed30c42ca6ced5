/** The sections of `elasticjob.yaml` that other packages than core read. */
export const companionSections: readonly string[] = Object.freeze(['tracing', 'metrics'])
