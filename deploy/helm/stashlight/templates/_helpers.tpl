{{- define "stashlight.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "stashlight.name" -}}
{{ .Release.Name | trunc 48 | trimSuffix "-" }}
{{- end }}

{{- define "stashlight.labels" -}}
app.kubernetes.io/name: stashlight
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "stashlight.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "stashlight.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Only migrations get the login that owns the tables. */}}
{{- define "stashlight.environment" -}}
- { name: STASHLIGHT_PUBLIC_URL, value: {{ .Values.publicUrl | quote }} }
- { name: STASHLIGHT_INGEST_URL, value: {{ .Values.ingestUrl | quote }} }
- { name: STASHLIGHT_TRUSTED_PROXIES, value: {{ .Values.trustedProxies | quote }} }
- { name: STASHLIGHT_STORAGE_PROFILE, value: {{ .Values.storageProfile | quote }} }
{{- range $name := list "DATABASE_RUNTIME_URL" "STASHLIGHT_SECRET" }}
- name: {{ $name }}
  valueFrom: { secretKeyRef: { name: {{ $.Values.existingSecret | quote }}, key: {{ $name }} } }
{{- end }}
{{- range $name, $value := .Values.environment }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{- define "stashlight.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
{{- range . }}
  - name: {{ . | quote }}
{{- end }}
{{- end }}
{{- end }}
