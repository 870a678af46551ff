{{/* Name of the release's objects. */}}
{{- define "tmax-operator.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "tmax-operator.serviceAccount" -}}
{{- default (include "tmax-operator.name" .) .Values.serviceAccount.name -}}
{{- end -}}

{{/* Objects that belong to no namespace carry the release's namespace, so that two releases never share them. */}}
{{- define "tmax-operator.clusterName" -}}
{{- printf "%s-%s" .Release.Namespace (include "tmax-operator.name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* What never changes from one chart version to the next: also the labels of pods, or an upgrade would restart them. */}}
{{- define "tmax-operator.selector" -}}
app.kubernetes.io/name: tmax-operator
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: operator
{{- end -}}

{{- define "tmax-operator.labels" -}}
app.kubernetes.io/name: tmax-operator
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/part-of: tmax
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Reference of an image: (list context name givenInFull). */}}
{{- define "tmax-operator.image" -}}
{{- $context := index . 0 -}}
{{- $full := index . 2 -}}
{{- if $full -}}
{{- $full -}}
{{- else -}}
{{- $images := $context.Values.images -}}
{{- printf "%s/%s:%s" (trimSuffix "/" $images.registry) (index . 1) (default $context.Chart.AppVersion $images.tag) -}}
{{- end -}}
{{- end -}}
