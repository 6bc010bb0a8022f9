/*
 * Copyright 2026 the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.rdma.autoconfigure;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * The rules of the design that hold the packages together.
 */
@AnalyzeClasses(packages = "io.rdma", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule dependenciesPointDownwards = layeredArchitecture().consideringOnlyDependenciesInLayers()
		.layer("demo")
		.definedBy("io.rdma.demo..")
		.layer("autoconfigure")
		.definedBy("io.rdma.autoconfigure..")
		.layer("actuate")
		.definedBy("io.rdma.actuate..")
		.layer("listener")
		.definedBy("io.rdma.listener..")
		.layer("core")
		.definedBy("io.rdma.core")
		.layer("connection")
		.definedBy("io.rdma.core.connection..")
		.layer("completion")
		.definedBy("io.rdma.core.completion..")
		.layer("memory")
		.definedBy("io.rdma.core.memory..")
		.layer("exception")
		.definedBy("io.rdma.core.exception..")
		.layer("devices")
		.definedBy("io.rdma.verbs.soft..", "io.rdma.verbs.ibv..")
		.layer("verbs")
		.definedBy("io.rdma.verbs")
		.withOptionalLayers(true)
		.whereLayer("demo")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("autoconfigure")
		.mayOnlyBeAccessedByLayers("demo")
		.whereLayer("actuate")
		.mayOnlyBeAccessedByLayers("autoconfigure", "demo")
		.whereLayer("listener")
		.mayOnlyBeAccessedByLayers("actuate", "autoconfigure", "demo")
		.whereLayer("core")
		.mayOnlyBeAccessedByLayers("listener", "actuate", "autoconfigure", "demo")
		.whereLayer("connection")
		.mayOnlyBeAccessedByLayers("core", "listener", "actuate", "autoconfigure", "demo")
		.whereLayer("completion")
		.mayOnlyBeAccessedByLayers("connection", "core", "listener", "actuate", "autoconfigure", "demo")
		.whereLayer("memory")
		.mayOnlyBeAccessedByLayers("connection", "core", "listener", "actuate", "autoconfigure", "demo")
		.whereLayer("devices")
		.mayOnlyBeAccessedByLayers("autoconfigure");

	@ArchTest
	static final ArchRule packagesHaveNoCycles = slices().matching("io.rdma.(**)").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule verbsKnowsNoSpring = noClasses().that()
		.resideInAPackage("io.rdma.verbs..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework..", "io.rdma.core..");

	@ArchTest
	static final ArchRule coreKnowsNoBoot = noClasses().that()
		.resideInAnyPackage("io.rdma.core..", "io.rdma.listener..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.boot..", "io.micrometer..");

	@ArchTest
	static final ArchRule nothingReachesBehindTheJdk = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("sun..", "jdk.internal..")
		.orShould()
		.dependOnClassesThat()
		.haveFullyQualifiedName("sun.misc.Unsafe");

	// They reach memory in ways that newer JDKs warn about
	@ArchTest
	static final ArchRule buffersAndQueuesOfAgronaAreNotUsed = noClasses().should()
		.dependOnClassesThat(resideInAnyPackage("org.agrona", "org.agrona.concurrent..")
			.and(not(simpleNameEndingWith("IdleStrategy"))));

	@ArchTest
	static final ArchRule packagesAreNullMarked = classes().that()
		.areNotAnonymousClasses()
		.should(new ArchCondition<JavaClass>("be in a package that is @NullMarked") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(type, marked, type.getPackageName() + " is not @NullMarked"));
			}

		});

	@ArchTest
	static final ArchRule autoConfigurationsAreFinal = classes().that()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePublic()
		.andShould()
		.haveModifier(JavaModifier.FINAL)
		.andShould()
		.haveSimpleNameEndingWith("AutoConfiguration");

	@ArchTest
	static final ArchRule autoConfigurationsHaveNoPublicMethods = methods().that()
		.areDeclaredInClassesThat()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.notBePublic();

	@ArchTest
	static final ArchRule autoConfigurationsHaveNoPublicFields = fields().that()
		.areDeclaredInClassesThat()
		.areAnnotatedWith(AutoConfiguration.class)
		.should()
		.bePrivate()
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule beanMethodsArePackagePrivate = methods().that()
		.areAnnotatedWith(Bean.class)
		.and()
		.areDeclaredInClassesThat()
		.resideInAPackage("io.rdma.autoconfigure..")
		.should()
		.bePackagePrivate();

	@ArchTest
	static final ArchRule nestedConfigurationsArePackagePrivate = classes().that()
		.areAnnotatedWith(Configuration.class)
		.and()
		.areNotAnnotatedWith(AutoConfiguration.class)
		.and()
		.resideInAPackage("io.rdma.autoconfigure..")
		.should()
		.bePackagePrivate()
		.allowEmptyShould(true);

}
