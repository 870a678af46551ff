// Command volume-provisioner gives every PersistentVolumeClaim of its storage class a folder of its own below --root,
// as a hostPath volume, and deletes the folder with the claim.
//
// All nodes of the local cluster share one file system, so a volume can be used from any of them. Folders are open to
// every user (mode 0777) because hostPath volumes ignore fsGroup and the project's pods do not run as root.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/sig-storage-lib-external-provisioner/v13/controller"
)

const provisionerName = "tmax.dev/folder"

func main() {
	kubeconfig := flag.String("kubeconfig", "", "how to reach the API server")
	root := flag.String("root", "", "absolute path of the folder that holds the volumes")
	flag.Parse()
	if err := serve(*kubeconfig, *root); err != nil {
		fmt.Fprintln(os.Stderr, "volume-provisioner:", err)
		os.Exit(1)
	}
}

func serve(kubeconfig, root string) error {
	if !filepath.IsAbs(root) {
		return fmt.Errorf("--root %q: give an absolute path", root)
	}
	access, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("--kubeconfig %q: %w", kubeconfig, err)
	}
	client, err := kubernetes.NewForConfig(access)
	if err != nil {
		return err
	}
	ctx, end := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer end()
	controller.NewProvisionController(
		ctx, client, provisionerName, folders{root: root}, controller.LeaderElection(false)).Run(ctx)
	return nil
}

// folders provisions volumes as folders below root, one per volume, named by the volume.
type folders struct {
	root string
}

func (f folders) Provision(
	_ context.Context, request controller.ProvisionOptions,
) (*core.PersistentVolume, controller.ProvisioningState, error) {
	path := filepath.Join(f.root, request.PVName)
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, controller.ProvisioningFinished, err
	}
	if err := os.Chmod(path, 0o777); err != nil { // The umask has narrowed what MkdirAll made.
		return nil, controller.ProvisioningFinished, err
	}
	directory := core.HostPathDirectory
	return &core.PersistentVolume{
		ObjectMeta: meta.ObjectMeta{Name: request.PVName},
		Spec: core.PersistentVolumeSpec{
			PersistentVolumeReclaimPolicy: *request.StorageClass.ReclaimPolicy,
			AccessModes:                   request.PVC.Spec.AccessModes,
			Capacity: core.ResourceList{
				core.ResourceStorage: request.PVC.Spec.Resources.Requests[core.ResourceStorage],
			},
			PersistentVolumeSource: core.PersistentVolumeSource{
				HostPath: &core.HostPathVolumeSource{Path: path, Type: &directory},
			},
		},
	}, controller.ProvisioningFinished, nil
}

func (f folders) Delete(_ context.Context, volume *core.PersistentVolume) error {
	path := filepath.Join(f.root, volume.Name)
	if volume.Spec.HostPath == nil || volume.Spec.HostPath.Path != path {
		return &controller.IgnoredError{Reason: "its folder is not below " + f.root}
	}
	return os.RemoveAll(path)
}
