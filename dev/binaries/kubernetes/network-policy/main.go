// Command network-policy enforces NetworkPolicy on one node of the local cluster.
//
// It runs kube-router's firewall controller alone: the router, service proxy and load balancer of the whole program
// would bring BGP, Docker and AWS libraries into the build.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/cloudnativelabs/kube-router/v2/pkg/controllers/netpol"
	"github.com/cloudnativelabs/kube-router/v2/pkg/healthcheck"
	"github.com/cloudnativelabs/kube-router/v2/pkg/options"
	"github.com/spf13/pflag"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

func main() {
	config := options.NewKubeRouterConfig()
	config.AddFlags(pflag.CommandLine)
	pflag.Parse()
	if err := enforce(config); err != nil {
		fmt.Fprintln(os.Stderr, "network-policy:", err)
		os.Exit(1)
	}
}

// enforce keeps the node's firewall equal to the cluster's policies until the process is told to end.
func enforce(config *options.KubeRouterConfig) error {
	access, err := clientcmd.BuildConfigFromFlags(config.Master, config.Kubeconfig)
	if err != nil {
		return fmt.Errorf("--kubeconfig %q: %w", config.Kubeconfig, err)
	}
	client, err := kubernetes.NewForConfig(access)
	if err != nil {
		return err
	}
	stop := make(chan struct{})
	factory := informers.NewSharedInformerFactory(client, 0)
	pods := factory.Core().V1().Pods().Informer()
	namespaces := factory.Core().V1().Namespaces().Informer()
	policies := factory.Networking().V1().NetworkPolicies().Informer()
	factory.Start(stop)
	if !cache.WaitForCacheSync(stop, pods.HasSynced, namespaces.HasSynced, policies.HasSynced) {
		return errors.New("the API server's pods, namespaces and policies could not be listed")
	}

	tables, sets, err := netpol.NewIPTablesHandlers(config)
	if err != nil {
		return err
	}
	var setsMutex sync.Mutex
	controller, err := netpol.NewNetworkPolicyController(
		client, config, pods, policies, namespaces, &setsMutex, tables, sets)
	if err != nil {
		return err
	}
	for informer, handler := range map[cache.SharedIndexInformer]cache.ResourceEventHandler{
		pods: controller.PodEventHandler, namespaces: controller.NamespaceEventHandler,
		policies: controller.NetworkPolicyEventHandler,
	} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			return err
		}
	}

	heartbeats := make(chan *healthcheck.ControllerHeartbeat)
	go func() {
		for beat := range heartbeats { // The controller blocks on a heartbeat that nobody takes.
			klog.V(2).Infof("rules are in place, %s", beat.LastHeartBeat)
		}
	}()
	var running sync.WaitGroup
	running.Add(1)
	go controller.Run(heartbeats, stop, &running)

	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGINT, syscall.SIGTERM)
	<-end
	close(stop)
	running.Wait()
	return nil
}
