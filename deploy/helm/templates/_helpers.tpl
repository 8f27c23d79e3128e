{{- define "bandstand.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "bandstand.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Of (list root "part"). */}}
{{- define "bandstand.selector" -}}
app.kubernetes.io/name: bandstand
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "bandstand.labels" -}}
{{ include "bandstand.selector" . }}
app.kubernetes.io/version: {{ (index . 0).Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ (index . 0).Release.Service }}
{{- end }}

{{/* Of (list root "NAME"): a variable from the Secret. */}}
{{- define "bandstand.secret" -}}
- name: {{ index . 1 }}
  valueFrom:
    secretKeyRef:
      name: {{ (index . 0).Values.existingSecret }}
      key: {{ index . 1 }}
{{- end }}

{{/* What services and renderers share: Redis and the store. */}}
{{- define "bandstand.shared" -}}
{{- if .Values.redis.enabled }}
{{ include "bandstand.secret" (list . "REDIS_PASSWORD") }}
- name: REDIS_URL
  value: redis://:$(REDIS_PASSWORD)@{{ include "bandstand.name" . }}-redis:6379
{{- else }}
{{ include "bandstand.secret" (list . "REDIS_URL") }}
{{- end }}
- name: RESULTS_S3_REGION
  value: {{ .Values.store.region | quote }}
{{- if .Values.store.enabled }}
{{ include "bandstand.secret" (list . "S3_SECRET") }}
- name: RESULTS_S3_ENDPOINT
  value: http://{{ include "bandstand.name" . }}-store:7070/pictures
- name: RESULTS_S3_ACCESS_KEY_ID
  value: bandstand
- name: RESULTS_S3_SECRET_ACCESS_KEY
  value: $(S3_SECRET)
{{- else }}
- name: RESULTS_S3_ENDPOINT
  value: {{ required "store.endpoint is required, unless store.enabled" .Values.store.endpoint | quote }}
{{ include "bandstand.secret" (list . "RESULTS_S3_ACCESS_KEY_ID") }}
{{ include "bandstand.secret" (list . "RESULTS_S3_SECRET_ACCESS_KEY") }}
{{- end }}
{{- end }}

{{/* Of an env map. */}}
{{- define "bandstand.env" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "bandstand.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "bandstand.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "bandstand.mounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
{{- end }}

{{- define "bandstand.volumes" -}}
- name: data
  emptyDir:
    sizeLimit: {{ .Values.cacheSize }}
- name: tmp
  emptyDir: {}
{{- end }}

{{/* Of (list root "part"): not all on one machine. */}}
{{- define "bandstand.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "bandstand.selector" . | nindent 6 }}
{{- end }}
