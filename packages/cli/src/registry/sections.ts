/** The sections of `elasticjob.yaml` that are read by packages beside core. */
export const companionSections: readonly string[] = Object.freeze(['tracing', 'metrics'])
