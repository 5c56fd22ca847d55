// A small backup with the AWS SDK for Go: sdk-go backup|restore|remove BUCKET FOLDER.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/feature/s3/manager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
)

type job struct {
	client *s3.Client
	bucket string
	folder string
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "version" {
		fmt.Println(aws.SDKVersion)
		return
	}
	ctx := context.Background()
	loaded, err := config.LoadDefaultConfig(ctx)
	check(err)
	client := s3.NewFromConfig(loaded, func(options *s3.Options) { options.UsePathStyle = true })
	own := job{client: client, bucket: os.Args[2], folder: os.Args[3]}
	switch os.Args[1] {
	case "backup":
		own.backup(ctx)
	case "restore":
		own.restore(ctx)
	case "remove":
		own.remove(ctx)
	default:
		log.Fatalf("The step %q is not known.", os.Args[1])
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func (own job) backup(ctx context.Context) {
	_, err := own.client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: &own.bucket})
	check(err)
	uploader := manager.NewUploader(own.client)
	wanted := map[string]bool{}
	check(filepath.WalkDir(own.folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		key, err := filepath.Rel(own.folder, path)
		check(err)
		wanted[key] = true
		file, err := os.Open(path)
		check(err)
		defer file.Close()
		_, err = uploader.Upload(ctx, &s3.PutObjectInput{Bucket: &own.bucket, Key: &key, Body: file})
		return err
	}))
	for _, key := range own.keys(ctx) {
		if !wanted[key] {
			_, err := own.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &own.bucket, Key: &key})
			check(err)
		}
	}
}

func (own job) restore(ctx context.Context) {
	for _, key := range own.keys(ctx) {
		path := filepath.Join(own.folder, key)
		check(os.MkdirAll(filepath.Dir(path), 0o755))
		answer, err := own.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &own.bucket, Key: &key})
		check(err)
		file, err := os.Create(path)
		check(err)
		_, err = io.Copy(file, answer.Body)
		check(err)
		check(answer.Body.Close())
		check(file.Close())
	}
	_, err := own.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &own.bucket, Key: aws.String("large"), IfNoneMatch: aws.String("*"),
	})
	var refused smithy.APIError
	if !errors.As(err, &refused) || refused.ErrorCode() != "PreconditionFailed" {
		log.Fatalf("A conditional write ended with %v.", err)
	}
}

func (own job) remove(ctx context.Context) {
	var objects []types.ObjectIdentifier
	for _, key := range own.keys(ctx) {
		objects = append(objects, types.ObjectIdentifier{Key: aws.String(key)})
	}
	deleted, err := own.client.DeleteObjects(ctx, &s3.DeleteObjectsInput{
		Bucket: &own.bucket, Delete: &types.Delete{Objects: objects},
	})
	check(err)
	if len(deleted.Errors) > 0 {
		log.Fatalf("%d objects were not deleted.", len(deleted.Errors))
	}
	_, err = own.client.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: &own.bucket})
	check(err)
}

func (own job) keys(ctx context.Context) []string {
	var keys []string
	pages := s3.NewListObjectsV2Paginator(own.client, &s3.ListObjectsV2Input{Bucket: &own.bucket, MaxKeys: aws.Int32(50)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		check(err)
		for _, object := range page.Contents {
			keys = append(keys, *object.Key)
		}
	}
	return keys
}
