{{- define "assay.name" -}}
{{- if contains "assay" .Release.Name -}}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{- else -}}{{ printf "%s-assay" .Release.Name | trunc 50 | trimSuffix "-" }}{{- end -}}
{{- end -}}

{{- define "assay.selector" -}}
app.kubernetes.io/name: assay
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "assay.labels" -}}
{{ include "assay.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end -}}

{{- /* assay.config.json: the given configuration, and the names that /mcp answers to. */ -}}
{{- define "assay.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- if and .Values.ingress.enabled (not (hasKey $config "mcp")) -}}
{{- $_ := set $config "mcp" (dict "hosts" .Values.ingress.hosts) -}}
{{- end -}}
{{ toPrettyJson $config }}
{{- end -}}

{{- /* A pod of the service: `command` is serve or index. */ -}}
{{- define "assay.pod" -}}
metadata:
  annotations:
    checksum/config: {{ include "assay.config" .root | sha256sum }}
    {{- with .root.Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  labels:
    {{- include "assay.selector" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .command }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: 60
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    seccompProfile:
      type: RuntimeDefault
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .root.Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: assay
      image: {{ printf "%s:%s" .root.Values.image.repository (default .root.Chart.AppVersion .root.Values.image.tag) | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [{{ .command | quote }}, "--config", "/etc/assay/assay.config.json"]
      env:
        - name: ASSAY_ACCOUNTS__ENGINE
          value: postgres
        - name: ASSAY_ACCOUNTS__URL_FILE
          value: /run/secrets/assay/postgres_url
        - name: ASSAY_FACTS__ENGINE
          value: clickhouse
        - name: ASSAY_FACTS__URL
          value: {{ .root.Values.clickhouse.url | quote }}
        - name: ASSAY_FACTS__USER
          value: {{ .root.Values.clickhouse.user | quote }}
        - name: ASSAY_FACTS__DATABASE
          value: {{ .root.Values.clickhouse.database | quote }}
        - name: ASSAY_FACTS__PASSWORD_FILE
          value: /run/secrets/assay/clickhouse_password
        - name: ASSAY_KEYS__PEPPER_FILE
          value: /run/secrets/assay/key_pepper
        - name: ASSAY_OPERATOR__TOKEN_FILE
          value: /run/secrets/assay/operator_token
        - name: ASSAY_RATE_LIMIT__REDIS_URL_FILE
          value: /run/secrets/assay/redis_url
        - name: ASSAY_RATE_LIMIT__INSTANCES
          value: {{ .root.Values.replicas | quote }}
        {{- with .root.Values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- if eq .command "serve" }}
      ports:
        - name: http
          containerPort: 8787
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 5
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
      {{- end }}
      resources:
        {{- toYaml .root.Values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: ["ALL"]
      volumeMounts:
        - { name: config, mountPath: /etc/assay, readOnly: true }
        - { name: secrets, mountPath: /run/secrets/assay, readOnly: true }
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: config
      configMap:
        name: {{ include "assay.name" .root }}
    - name: secrets
      secret:
        secretName: {{ .root.Values.secretName }}
        defaultMode: 0440
    - name: tmp
      emptyDir: {}
    {{- if and .root.Values.persistence.enabled (eq .command "index") }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ include "assay.name" .root }}
    {{- else }}
    - name: data
      emptyDir: {}
    {{- end }}
{{- end -}}
