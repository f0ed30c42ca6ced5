/** Metrics of schedulers for Prometheus and OpenTelemetry, and a span for each run. */
export { metricsOptionsOf, metricsSection, type SectionOptions } from './config/file-section.ts'
export { errorCodes, MetricsError, type MetricsErrorCode } from './errors.ts'
export { OpenTelemetryExporter, type OpenTelemetryOptions } from './opentelemetry/exporter.ts'
export { RunSpans, type RunSpansOptions } from './opentelemetry/run-spans.ts'
export {
  metricDefaults,
  type MetricOptions,
  type TracingMetrics,
  type TracingSource,
} from './options.ts'
export { PrometheusExporter, type PrometheusOptions } from './prometheus/exporter.ts'
export type { MetricsHandler } from './prometheus/handler.ts'
export { listenDefaults, type ListenOptions, type MetricsServer } from './prometheus/server.ts'
